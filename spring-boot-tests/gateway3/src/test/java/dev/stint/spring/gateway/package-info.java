/** Stint in a running Spring Cloud Gateway. */
package dev.stint.spring.gateway;
