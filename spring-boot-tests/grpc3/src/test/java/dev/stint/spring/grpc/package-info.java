/** Stint in a running server of Spring gRPC. */
package dev.stint.spring.grpc;
