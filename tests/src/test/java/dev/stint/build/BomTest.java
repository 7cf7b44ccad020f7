package dev.stint.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The BOM has the versions of our libraries, and leaves all others to whoever imports it. */
class BomTest {

  private static final String MANAGED = "dependencyManagement/dependencies/dependency/";

  /** Published too, but a program and the messages it speaks: nobody builds against them. */
  private static final Set<String> PROGRAM =
      Set.of("stint-server", "stint-rls-api", "stint-studio");

  @Test
  void every_published_library_is_in_it_and_nothing_else() throws Exception {
    List<String> libraries = new ArrayList<>();
    for (String folder : Pom.of(".").texts("modules/module")) {
      Pom module = Pom.of(folder);
      boolean published = !module.text("properties/maven.deploy.skip").equals("true");
      boolean library = !module.text("packaging").equals("pom");
      if (published && library && !PROGRAM.contains(module.text("artifactId"))) {
        libraries.add(module.text("artifactId"));
      }
    }
    assertThat(libraries).contains("stint-core", "stint-spring-boot-starter");
    assertThat(Pom.of("bom").texts(MANAGED + "artifactId"))
        .containsExactlyInAnyOrderElementsOf(libraries);
    assertThat(Pom.of("bom").texts(MANAGED + "groupId")).containsOnly("dev.stint");
  }

  @Test
  void all_have_the_version_of_the_project() throws Exception {
    Pom bom = Pom.of("bom");
    assertThat(bom.text("version")).isEqualTo(Pom.of(".").text("version"));
    assertThat(bom.texts(MANAGED + "version")).containsOnly("${project.version}");
  }

  @Test
  void it_has_no_parent_whose_versions_would_be_imported_with_it() throws Exception {
    assertThat(Pom.of("bom").texts("parent")).isEmpty();
    assertThat(Pom.of("bom").texts(MANAGED + "scope")).isEmpty();
  }
}
