# Sourced by ./stint and ./bench, which set root: builds what they run when it is missing or older
# than its sources.

java=${JAVA_HOME:+$JAVA_HOME/bin/}java

die() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}

# Dies unless there is a Java that can run what we build.
require_java() {
  local version
  command -v "$java" >/dev/null ||
    die "a JDK of version 17 or newer must be installed: '$java' was not found. Install one, or point JAVA_HOME at it."
  version=$("$java" -version 2>&1 | sed -nE 's/.*version "(1\.)?([0-9]+).*/\2/p' | head -n 1)
  [ "${version:-0}" -ge 17 ] ||
    die "a JDK of version 17 or newer must be installed: '$java' is version ${version:-unknown}. Install one, or point JAVA_HOME at it."
}

# Dies unless there is what a build needs beyond that.
require_build_tools() {
  command -v "${java}c" >/dev/null ||
    die "a whole JDK must be installed to build Stint: '$java' is there, but '${java}c' was not found. Install one, or point JAVA_HOME at it."
  command -v mvn >/dev/null ||
    die "Maven 3.8 or newer must be installed to build Stint: 'mvn' was not found."
}

# is_stale JAR MODULE...: whether the jar is missing, or older than a source of the modules it is made of.
is_stale() {
  local jar=$1 module
  shift
  [ -f "$root/$jar" ] || return 0
  for module in "$@"; do
    # Folders count too: one that lost a file is newer.
    [ -z "$(find "$root/pom.xml" "$root/$module/pom.xml" "$root/$module/src/main" -newer "$root/$jar" 2>/dev/null | head -n 1)" ] ||
      return 0
  done
  return 1
}

# build_if_stale JAR MODULE...: the last module is the one that makes the jar.
build_if_stale() {
  local module=${!#} log
  require_java
  is_stale "$@" || return 0
  require_build_tools
  printf '%s: building %s (the first time Maven fetches a few libraries) ...\n' "${0##*/}" "$module" >&2
  log=$(mvn -q -f "$root/pom.xml" -pl "$module" -am -Dmaven.test.skip=true package 2>&1) || {
    printf '%s\n' "$log" >&2
    die "the build of $module failed, as said above."
  }
}

# Fills service_options with what the service's JVM is started with: bin/service.options, and the classes that a start
# needs, written down once for this jar and this JVM, which makes every later start about twice as quick.
find_service_options() {
  local jar=$root/server/target/stint.jar archive
  archive=$root/server/target/stint-$("$java" -version 2>&1 | cksum | cut -d ' ' -f 1).jsa
  service_options=("@$root/bin/service.options")
  if [ ! -f "$archive" ] || [ "$jar" -nt "$archive" ]; then
    rm -f "$archive"
    # Under another name until it is whole: this may be interrupted, and others may start meanwhile.
    "$java" "${service_options[@]}" -XX:ArchiveClassesAtExit="$archive.$$" -jar "$jar" rehearse >/dev/null 2>&1 &&
      mv -f "$archive.$$" "$archive" 2>/dev/null || rm -f "$archive.$$"
  fi
  # Without the archive the service starts all the same, only later.
  [ ! -f "$archive" ] || service_options+=(-XX:SharedArchiveFile="$archive" -Xlog:disable -Xlog:all=error:stderr)
}
