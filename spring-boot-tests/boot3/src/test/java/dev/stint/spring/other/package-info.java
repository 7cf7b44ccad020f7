/** Where the namesake of a class lives. */
package dev.stint.spring.other;
