/** The starter in real applications on real sockets; run once on Boot 3.5 and once on 4.1. */
package dev.stint.spring;
