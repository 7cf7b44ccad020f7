/**
 * What the pages about the service say is true: their examples are read and run, their tables
 * compared.
 */
package dev.stint.server.docs;
