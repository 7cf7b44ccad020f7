package dev.stint.server.ordeal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate that signs itself, made by Java's own keytool, with its key. */
public final class Certificates {

  private static final char[] SECRET = "secret".toCharArray();

  private final KeyStore keys;

  private Certificates(KeyStore keys) {
    this.keys = keys;
  }

  public static Certificates make(Path folder, String name) throws Exception {
    return make(folder, name, "EC");
  }

  /** One with a key of this algorithm, and with more options of keytool. */
  static Certificates make(Path folder, String name, String algorithm, String... options)
      throws Exception {
    Path file = folder.resolve(name + ".p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command =
        new ArrayList<>(
            List.of(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "one",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                "secret"));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool must succeed: " + said);
    }
    return new Certificates(KeyStore.getInstance(file.toFile(), SECRET));
  }

  Certificate certificate() throws GeneralSecurityException {
    return keys.getCertificate("one");
  }

  /** Writes both as PEM. */
  public void write(Path certificate, Path key) throws IOException, GeneralSecurityException {
    Key secret = keys.getKey("one", SECRET);
    Files.writeString(key, pem("PRIVATE KEY", secret.getEncoded()));
    Files.writeString(certificate, pem("CERTIFICATE", certificate().getEncoded()));
  }

  /** The certificate as PEM. */
  String pem() throws GeneralSecurityException {
    return pem("CERTIFICATE", certificate().getEncoded());
  }

  private static String pem(String what, byte[] bytes) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }

  /** A client that trusts these, and shows its own if it has one. */
  public static SSLContext client(List<Certificates> own, List<Certificates> trusted)
      throws Exception {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    for (Certificates one : trusted) {
      trust.setCertificateEntry("trusted" + trust.size(), one.certificate());
    }
    TrustManagerFactory trusts =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusts.init(trust);
    KeyManagerFactory shows =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    KeyStore mine = KeyStore.getInstance("PKCS12");
    mine.load(null, null);
    for (Certificates one : new ArrayList<>(own)) {
      mine.setKeyEntry(
          "own", one.keys.getKey("one", SECRET), SECRET, new Certificate[] {one.certificate()});
    }
    shows.init(mine, SECRET);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(shows.getKeyManagers(), trusts.getTrustManagers(), null);
    return context;
  }
}
