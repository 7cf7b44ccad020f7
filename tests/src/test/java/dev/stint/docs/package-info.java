/** The examples of the documentation, compiled and run. */
package dev.stint.docs;
