package dev.stint.server.config;

/** Files that tests begin with. */
final class Samples {

  /** A good file with nearly every word that there is. */
  static final String RICH =
      """
      # everything at once
      store:
        url: redis-cluster://one:7000,two:7001
        max-keys: 500000
        request-keys: 20000
        prefix: "stint:"
        deadline: 20ms
        instances: 3
      listeners:
        http: 8080
        grpc: "0.0.0.0:8081"
        resp: off
        admin: {address: 0.0.0.0, port: 9091, token-env: ADMIN_TOKEN}
      clients:
        team-a: {token-env: TEAM_A}
        team-b: {token: bbbbbbbbbbbbbbbbbbbb, may: [decide, change]}
      policies:
        default: 5/minute
        api:
          limits: "100/minute burst 20; 5000/day"
          mode: enforce
          hash-keys: true
          on-store-error: deny
          headers: github
          candidate: tighter
          overrides:
            - {key: alice, limits: 1000/minute}
            - prefix: "free:"
              limits: [10/minute, 100/day]
        tighter:
          limits:
            - 50/minute
            - 1000 per 2 days named two-days
          algorithm: sliding-counter
          mode: shadow
        windows: {limits: 10/hour, algorithm: fixed-window, count-denied: true}
      rls:
        deadline: 10ms
        domains:
          - domain: mongo_cps
            descriptors:
              - key: database
                value: users
                rate_limit: {unit: second, requests_per_unit: 500, name: users}
                shadow_mode: true
                descriptors:
                  - key: path
                    value: "/a*"
                    detailed_metric: true
                    rate_limit:
                      unit: hour
                      requests_per_unit: 0
                      replaces:
                        - name: users
              - key: database
                rate_limit:
                  unit: MINUTE
                  requests_per_unit: 4294967295
                  algorithm: token-bucket
                  burst: 100
                  unit_multiplier: 3
                  on_store_error: allow
              - key: free
                rate_limit: {unlimited: true}
              - key: counted
                rate_limit: {unit: week, requests_per_unit: 7, count_denied: false}
      bounds: {body: 2MiB, headers: 16KiB, key: 1000, batch: 10, descriptors: 20, connections: 30, idle: 5s, drain: 1 second}
      telemetry: {top-keys: 10, hash-top-keys: true, logs: json, traces: "http://localhost:4318"}
      """;

  private Samples() {}
}
