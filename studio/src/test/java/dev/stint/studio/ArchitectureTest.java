package dev.stint.studio;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Keeps the direction of dependencies: cli ← trial ← findings ← log, report ← the commands. */
@AnalyzeClasses(packages = "dev.stint.studio", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] COMMANDS = {
    "dev.stint.studio.simulate..",
    "dev.stint.studio.replay..",
    "dev.stint.studio.recommend..",
    "dev.stint.studio.demo.."
  };
  private static final String CLI = "dev.stint.studio.cli..";
  private static final String TRIAL = "dev.stint.studio.trial..";
  private static final String FINDINGS = "dev.stint.studio.findings..";
  private static final String LOG = "dev.stint.studio.log..";
  private static final String REPORT = "dev.stint.studio.report..";

  @ArchTest
  static final ArchRule nobody_knows_a_command =
      noClasses()
          .that()
          .resideInAnyPackage(CLI, TRIAL, FINDINGS, LOG, REPORT)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(COMMANDS);

  @ArchTest
  static final ArchRule trials_know_neither_logs_nor_words =
      noClasses()
          .that()
          .resideInAPackage(TRIAL)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(FINDINGS, LOG, REPORT, "picocli..", "com.fasterxml..");

  @ArchTest
  static final ArchRule logs_know_no_trial =
      noClasses()
          .that()
          .resideInAPackage(LOG)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(TRIAL);

  @ArchTest
  static final ArchRule only_logs_are_unpacked =
      noClasses()
          .that()
          .resideOutsideOfPackage(LOG)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("com.github.luben..");
}
