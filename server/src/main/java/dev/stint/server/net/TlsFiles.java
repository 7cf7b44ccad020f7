package dev.stint.server.net;

import dev.stint.server.config.Tls;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of a listener, read once and checked: the bytes that were checked are the bytes
 * that are used, even if the files change meanwhile.
 */
public final class TlsFiles {

  /** By the algorithm of a key, how it signs. Of others Vert.x makes no server. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

  private final Tls tls;
  private final PemKeyCertOptions own;
  private final List<X509Certificate> chain;
  private final @Nullable PemTrustOptions signers;

  private TlsFiles(
      Tls tls,
      PemKeyCertOptions own,
      List<X509Certificate> chain,
      @Nullable PemTrustOptions signers) {
    this.tls = tls;
    this.own = own;
    this.chain = chain;
    this.signers = signers;
  }

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException with a sentence, if a server could not be made of them
   */
  public static TlsFiles read(Tls tls) {
    byte[] certificate = bytes(tls.certificate());
    byte[] key = bytes(tls.key());
    List<X509Certificate> chain = certificates(tls.certificate(), certificate);
    PemKeyCertOptions own =
        new PemKeyCertOptions()
            .addCertValue(Buffer.buffer(certificate))
            .addKeyValue(Buffer.buffer(key));
    checkPair(tls, chain, privateKey(tls, own, key));
    return new TlsFiles(tls, own, chain, tls.clientCa() == null ? null : signers(tls.clientCa()));
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "'" + file + "' must be a file that this user can read; check its path and mode", e);
    }
  }

  private static List<X509Certificate> certificates(Path file, byte[] bytes) {
    List<X509Certificate> found = new ArrayList<>();
    try {
      for (Certificate one :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes))) {
        found.add((X509Certificate) one);
      }
    } catch (CertificateException e) {
      found.clear();
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "'" + file + "' must hold a certificate in PEM, and it cannot be read as one");
    }
    return found;
  }

  private static PemTrustOptions signers(Path file) {
    byte[] bytes = bytes(file);
    certificates(file, bytes);
    return new PemTrustOptions().addCertValue(Buffer.buffer(bytes));
  }

  /** The key as Vert.x reads it; null if it found out itself that it is not the certificate's. */
  private static @Nullable PrivateKey privateKey(Tls tls, PemKeyCertOptions own, byte[] pem) {
    String text = new String(pem, StandardCharsets.ISO_8859_1);
    if (text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")) {
      throw new IllegalArgumentException(
          String.format(
              "'%s' must hold a private key without a password, and it is encrypted; decrypt it"
                  + " with: openssl pkey -in FILE -out FILE",
              tls.key()));
    }
    try {
      // Values, not paths, so that no Vertx is needed to read them.
      for (KeyManager manager : own.copy().getKeyManagerFactory(null).getKeyManagers()) {
        if (manager instanceof X509KeyManager keys) {
          for (String algorithm : SIGNATURES.keySet()) {
            String[] names = keys.getServerAliases(algorithm, null);
            if (names != null && names.length > 0) {
              return keys.getPrivateKey(names[0]);
            }
          }
        }
      }
      return null;
    } catch (IllegalArgumentException e) { // the algorithms differ
      return null;
    } catch (KeyStoreException e) {
      throw new IllegalArgumentException(
          String.format(
              "'%s' must hold the server's certificate first, then each one that signed the one"
                  + " before it, and does not; put them in this order",
              tls.certificate()),
          e);
    } catch (Exception e) { // as Vert.x declares it
      throw new IllegalArgumentException(
          String.format(
              "'%s' must hold a private key in PEM, of RSA or EC, and it cannot be read as one",
              tls.key()),
          e);
    }
  }

  private static void checkPair(
      Tls tls, List<X509Certificate> chain, @Nullable PrivateKey privateKey) {
    if (privateKey != null && isPair(privateKey, chain.get(0).getPublicKey())) {
      return;
    }
    throw new IllegalArgumentException(
        String.format(
            "'%s' must be the private key of the certificate in '%s', and it is not; write the files"
                + " of one pair",
            tls.key(), tls.certificate()));
  }

  private static boolean isPair(PrivateKey key, PublicKey certified) {
    String algorithm = SIGNATURES.get(key.getAlgorithm());
    if (algorithm == null || !key.getAlgorithm().equals(certified.getAlgorithm())) {
      return false;
    }
    byte[] text = "stint".getBytes(StandardCharsets.US_ASCII);
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(text);
      Signature verifying = Signature.getInstance(algorithm);
      verifying.initVerify(certified);
      verifying.update(text);
      return verifying.verify(signing.sign());
    } catch (GeneralSecurityException e) { // such as keys on different curves
      return false;
    }
  }

  /** Sentences about what works but clients will refuse. */
  public List<String> warnings(Instant now) {
    X509Certificate first = chain.get(0);
    Instant begin = first.getNotBefore().toInstant();
    Instant end = first.getNotAfter().toInstant();
    if (now.isAfter(end)) {
      return List.of(
          String.format(
              "the certificate in '%s' expired at %s; replace it", tls.certificate(), end));
    }
    if (now.isBefore(begin)) {
      return List.of(
          String.format(
              "the certificate in '%s' is not valid before %s; check the clock, or replace it",
              tls.certificate(), begin));
    }
    return List.of();
  }

  /** Has a port encrypt by these. */
  void apply(NetServerOptions options) {
    options.setSsl(true).setKeyCertOptions(own);
    if (signers != null) {
      options.setClientAuth(ClientAuth.REQUIRED).setTrustOptions(signers);
    }
  }

  /** For {@code updateSSLOptions} of a port that is open. */
  public ServerSSLOptions options() {
    ServerSSLOptions ssl = new ServerSSLOptions();
    ssl.setKeyCertOptions(own.copy());
    if (signers != null) {
      ssl.setClientAuth(ClientAuth.REQUIRED).setTrustOptions(signers.copy());
    }
    return ssl;
  }
}
