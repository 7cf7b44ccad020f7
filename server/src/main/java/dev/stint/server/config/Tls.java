package dev.stint.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Encryption of a port, by PEM files, which are read again when they change.
 *
 * @param clientCa who must have signed a client's certificate; null if clients need none
 */
public record Tls(Path certificate, Path key, @Nullable Path clientCa) {}
