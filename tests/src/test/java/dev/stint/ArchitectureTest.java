package dev.stint;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * Keeps the direction of dependencies: algorithm ← dev.stint ← memory, redis, http ← grpc, server.
 */
@AnalyzeClasses(packages = "dev.stint", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String API = "dev.stint";
  private static final String ALGORITHM = "dev.stint.algorithm..";
  private static final String MEMORY = "dev.stint.memory..";
  private static final String REDIS = "dev.stint.redis..";
  private static final String HTTP = "dev.stint.http..";
  private static final String GRPC = "dev.stint.grpc..";
  private static final String TESTKIT = "dev.stint.testkit..";
  private static final String SERVER = "dev.stint.server..";

  @ArchTest
  static final ArchRule algorithms_know_only_java =
      classes()
          .that()
          .resideInAPackage(ALGORITHM)
          .should()
          .onlyDependOnClassesThat(resideInAnyPackage(ALGORITHM, "java..", "org.jspecify.."));

  @ArchTest
  static final ArchRule core_has_no_dependency_outside_java =
      classes()
          .that()
          .resideInAnyPackage(API, ALGORITHM, MEMORY)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(API, ALGORITHM, MEMORY, "java..", "org.jspecify.."));

  @ArchTest
  static final ArchRule only_the_factory_of_the_limiter_knows_the_memory_store =
      noClasses()
          .that(resideInAnyPackage(API).and(not(belongToAnyOf(RateLimiter.class))))
          .should()
          .dependOnClassesThat()
          .resideInAPackage(MEMORY);

  @ArchTest
  static final ArchRule the_memory_store_stands_on_the_algorithms_and_the_api =
      classes()
          .that()
          .resideInAPackage(MEMORY)
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(API, ALGORITHM, MEMORY, "java..", "org.jspecify.."));

  @ArchTest
  static final ArchRule the_testkit_works_with_any_store =
      noClasses()
          .that()
          .resideInAPackage(TESTKIT)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(MEMORY, SERVER);

  @ArchTest
  static final ArchRule the_server_needs_no_test_library =
      noClasses()
          .that()
          .resideInAPackage(SERVER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(TESTKIT, "org.junit..", "org.assertj..");

  @ArchTest
  static final ArchRule nothing_stands_on_the_server =
      noClasses()
          .that()
          .resideOutsideOfPackage(SERVER)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(SERVER);

  @ArchTest
  static final ArchRule stores_know_nothing_of_http =
      noClasses()
          .that()
          .resideInAnyPackage(MEMORY, REDIS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(HTTP, GRPC, SERVER);

  @ArchTest
  static final ArchRule http_itself_knows_no_framework =
      classes()
          .that()
          .resideInAPackage("dev.stint.http")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(API, MEMORY, "dev.stint.http", "java..", "org.jspecify.."));

  @ArchTest
  static final ArchRule each_skin_knows_its_own_framework_only =
      classes()
          .that()
          .resideInAnyPackage(
              "dev.stint.http.servlet", "dev.stint.http.jaxrs", "dev.stint.http.jdk")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  API,
                  MEMORY,
                  HTTP,
                  "java..",
                  "com.sun.net.httpserver..",
                  "jakarta.servlet..",
                  "jakarta.ws.rs..",
                  "javax.net.ssl..",
                  "org.jspecify.."));

  @ArchTest
  static final ArchRule grpc_stands_on_http =
      noClasses()
          .that()
          .resideInAPackage(GRPC)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(MEMORY, REDIS, SERVER, "org.springframework..");
}
