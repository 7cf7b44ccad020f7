/** Stint in a running Spring Cloud Gateway Server MVC. */
package dev.stint.spring.gateway;
