package dev.stint.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Keeps the direction of dependencies: config ← engine ← net ← http, rls, resp, admin ← serve. */
@AnalyzeClasses(packages = "dev.stint.server", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String CONFIG = "dev.stint.server.config..";
  private static final String ENGINE = "dev.stint.server.engine..";
  private static final String TREE = "dev.stint.server.rls.tree..";
  private static final String NET = "dev.stint.server.net..";
  private static final String HTTP = "dev.stint.server.http..";
  private static final String RLS = "dev.stint.server.rls";
  private static final String RESP = "dev.stint.server.resp..";
  private static final String ADMIN = "dev.stint.server.admin..";
  private static final String SERVE = "dev.stint.server.serve..";
  private static final String INSPECT = "dev.stint.server.inspect..";
  private static final String STUDIO = "dev.stint.studio..";

  @ArchTest
  static final ArchRule what_decides_knows_no_network =
      noClasses()
          .that()
          .resideInAnyPackage(CONFIG, ENGINE, TREE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.vertx..", "io.netty..", "io.grpc..", NET, HTTP, RLS, RESP, ADMIN, SERVE);

  @ArchTest
  static final ArchRule the_configuration_knows_nobody =
      noClasses()
          .that()
          .resideInAPackage(CONFIG)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ENGINE, TREE, NET);

  @ArchTest static final ArchRule http_knows_no_other_wire = alone(HTTP, RLS, TREE, RESP, ADMIN);

  @ArchTest
  static final ArchRule envoys_service_knows_no_other_wire = alone(RLS, HTTP, RESP, ADMIN);

  @ArchTest static final ArchRule resp_knows_no_other_wire = alone(RESP, HTTP, RLS, TREE, ADMIN);

  @ArchTest
  static final ArchRule administration_knows_no_other_wire = alone(ADMIN, HTTP, RLS, TREE, RESP);

  @ArchTest
  static final ArchRule only_the_command_line_knows_the_commands =
      noClasses()
          .that()
          .resideInAnyPackage(CONFIG, ENGINE, TREE, NET, HTTP, RLS, RESP, ADMIN)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SERVE, INSPECT, STUDIO, "dev.stint.server", "picocli..");

  @ArchTest
  static final ArchRule who_looks_in_from_outside_knows_nothing_from_within =
      alone(INSPECT, CONFIG, ENGINE, TREE, NET, HTTP, RLS, RESP, ADMIN, SERVE);

  private static ArchRule alone(String one, String... others) {
    return noClasses()
        .that()
        .resideInAPackage(one)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others);
  }
}
