package dev.stint.http;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides about requests by rules.
 *
 * <pre>{@code
 * HttpLimiter limiter = HttpLimiter.of(Rule.of("api", "100/minute"));
 * }</pre>
 *
 * <p>Give it to the filter of your framework. All rules that match a request are decided together,
 * all or nothing: a request that one of them refuses is charged by none. (Rules in {@linkplain
 * Rule#in different stores} are asked in turn, and what was taken is given back.)
 *
 * <p>A limiter is safe for use by many threads, and never throws because of a store.
 */
public final class HttpLimiter {

  private final RuleList rules;
  private final ClientAddresses addresses;
  private final @Nullable KeySource tenants;
  private final ClientLists lists;
  private final BiFunction<Request, Refusal, Refusal> refuser;
  private final Headers headers;

  private HttpLimiter(Builder builder, Predicate<Rule> which) {
    rules =
        new RuleList(
            builder.rules.stream()
                .filter(which)
                .map(
                    rule ->
                        RuleInForce.prepared(rule, builder.store, builder.format, builder.syntax))
                .toList(),
            builder.exempt.stream()
                .map(route -> builder.syntax.parseExempt(route.pattern()))
                .toList());
    addresses = ClientAddresses.trusting(builder.proxies);
    tenants = builder.tenants;
    lists =
        new ClientLists(
            builder.allowed,
            builder.blocked,
            builder.allowedKeys,
            builder.blockedKeys,
            builder.rules.stream().map(Rule::source).toList());
    builder.checkTenant(lists.needsTenant(), "a list with a tenant must be told how to find one");
    refuser = builder.refuser;
    headers = new Headers(builder.store.time(), builder.jitter, builder.partitionKeys);
  }

  /** A limiter with these rules that counts in memory. */
  public static HttpLimiter of(Rule... rules) {
    return builder(MemoryStore.create()).rules(List.of(rules)).build();
  }

  /** A limiter that counts in {@code store}, with settings. */
  public static Builder builder(Store store) {
    if (store == null) {
      throw new IllegalArgumentException("store must not be null");
    }
    return new Builder(store);
  }

  /** Decides about a request, and charges it if it may pass. */
  public Answer decide(Request request) {
    return decide(request, null);
  }

  /**
   * Decides about a request that another limiter has let pass already, so that the headers speak of
   * both.
   */
  public Answer decide(Request request, @Nullable Answer earlier) {
    RequestCharges charges = new RequestCharges();
    Answer early = prepare(request, earlier, charges);
    if (early == null) {
      charges.found().join();
      early = settle(request, earlier, charges);
    }
    return early != null ? early : answers(request).of(RuleEngine.ask(charges.list()), earlier);
  }

  /** As {@link #decide(Request)}, without blocking a thread. */
  public CompletionStage<Answer> decideAsync(Request request) {
    return decideAsync(request, null);
  }

  /** As {@link #decide(Request, Answer)}, without blocking a thread. */
  public CompletionStage<Answer> decideAsync(Request request, @Nullable Answer earlier) {
    return decideAsync(request, earlier, HandlerThreads.shared());
  }

  /**
   * As {@link #decide(Request, Answer)}, without blocking a thread.
   *
   * @param executor completes the stage, if the store or a {@linkplain Rule#ofAsync function} does
   *     not answer at once; so what depends on it never runs on a thread of theirs. The other
   *     methods use threads that are made as they are needed.
   */
  public CompletionStage<Answer> decideAsync(
      Request request, @Nullable Answer earlier, Executor executor) {
    RequestCharges charges = new RequestCharges();
    Answer early = prepare(request, earlier, charges);
    if (early != null) {
      return CompletableFuture.completedFuture(early);
    }
    CompletableFuture<?> found = charges.found();
    return found.isDone()
        ? askAsync(request, earlier, charges, executor)
        : Continuation.of(
                found, executor, all -> askAsync(request, earlier, charges, executor), all -> {})
            .thenCompose(answer -> answer);
  }

  private CompletionStage<Answer> askAsync(
      Request request, @Nullable Answer earlier, RequestCharges charges, Executor executor) {
    Answer early = settle(request, earlier, charges);
    return early != null
        ? CompletableFuture.completedFuture(early)
        : RuleEngine.askAsync(
            charges.list(), executor, outcome -> answers(request).of(outcome, earlier));
  }

  /**
   * Decides about a request by {@linkplain Builder#block blocked} addresses and keys alone, and
   * charges nothing: for requests that a framework answers itself, such as preflights.
   */
  public Answer decideByLists(Request request, @Nullable Answer earlier) {
    request.readBy(addresses, tenants);
    return lists.isBlocked(request)
        ? answers(request).refused(Problem.blocked())
        : Answer.free(headers, earlier);
  }

  /** Collects what is to be asked; or answers at once, if there is nothing to ask. */
  private @Nullable Answer prepare(
      Request request, @Nullable Answer earlier, RequestCharges charges) {
    request.readBy(addresses, tenants);
    if (lists.isBlocked(request)) {
      return answers(request).refused(Problem.blocked());
    }
    if (lists.isAllowed(request)) {
      return Answer.free(headers, earlier);
    }
    Rule lacking = rules.charge(request, charges);
    if (lacking != null) {
      return answers(request).refused(Problem.missingKey(lacking.shownName()));
    }
    return charges.isEmpty() ? Answer.free(headers, earlier) : null;
  }

  /** Answers without asking, if no charge is left or the limits of one are missing. */
  private @Nullable Answer settle(
      Request request, @Nullable Answer earlier, RequestCharges charges) {
    Rule without = charges.settle();
    if (without != null) {
      return answers(request).refused(Problem.limitUnknown(without.shownName()));
    }
    return charges.isEmpty() ? Answer.free(headers, earlier) : null;
  }

  private Answers answers(Request request) {
    return new Answers(headers, standard -> refuser.apply(request, standard));
  }

  /** Whether it has nothing to decide: no rules, and no client is blocked. */
  public boolean isIdle() {
    return rules.isEmpty() && lists.blocksNobody();
  }

  /**
   * Whether the request's {@linkplain Request#template template} may matter: because a rule counts
   * by route, or because the path can be read in several ways. For frameworks that have to look for
   * it.
   */
  public boolean needsTemplate(Request request) {
    return rules.needsTemplate(request) || (tenants != null && tenants.needsRoute());
  }

  /** Whether a list, the key of a rule or the tenant depends on the address of the client. */
  public boolean needsAddress() {
    return lists.needsAddress()
        || (tenants != null && tenants.needsAddress())
        || rules.needsAddress();
  }

  /**
   * The key that {@code source} finds in a request, read as the rules of this limiter read it: by
   * its trusted proxies and its tenant. Null if there is none.
   */
  public @Nullable String keyOf(Request request, KeySource source) {
    request.readBy(addresses, tenants);
    request.readAgain();
    return source.text(request);
  }

  /** Whether it can find such keys: those by tenant only if it was told how to find one. */
  public boolean finds(KeySource source) {
    return tenants != null || !source.needsTenant();
  }

  /** The rules, in the order in which they were given. */
  public List<Rule> rules() {
    return rules.rules();
  }

  /**
   * Asks what a rule's limits would say to one unit for a key, and takes nothing. The key is as the
   * rule finds it, such as {@code 203.0.113.9} for a rule by address.
   *
   * @throws IllegalArgumentException if there is no such rule, or its limits depend on the request
   */
  public Decision peek(String rule, String key) {
    return peek(rules.findWithLimits(rule), key);
  }

  /** As {@link #peek(String, String)}, for limits that the rule would find for a request. */
  public Decision peek(String rule, String key, List<Limit> limits) {
    return peek(rules.find(rule).limitedBy(limits), key);
  }

  private static Decision peek(RuleInForce rule, String key) {
    return rule.limiter().peek(limits(rule, key));
  }

  /** Forgets what a rule has counted for a key, which is as in {@link #peek}. */
  public void reset(String rule, String key) {
    reset(rules.findWithLimits(rule), key);
  }

  /**
   * As {@link #reset(String, String)}, for limits that the rule would find for a request. Their
   * amounts do not matter: what is counted belongs to the window.
   */
  public void reset(String rule, String key, List<Limit> limits) {
    reset(rules.find(rule).limitedBy(limits), key);
  }

  private static void reset(RuleInForce rule, String key) {
    rule.limiter().reset(limits(rule, key));
  }

  private static KeyedLimit[] limits(RuleInForce rule, String typed) {
    Key key = rule.key(rule.rule().source().textOf(typed));
    return rule.policies().stream()
        .map(policy -> policy.limit().on(key))
        .toArray(KeyedLimit[]::new);
  }

  /** Settings of an {@link HttpLimiter}. */
  public static final class Builder {

    private final Store store;
    private final List<Rule> rules = new ArrayList<>();
    private final List<String> proxies = new ArrayList<>();
    private final List<String> allowed = new ArrayList<>();
    private final List<String> blocked = new ArrayList<>();
    private final List<String> allowedKeys = new ArrayList<>();
    private final List<String> blockedKeys = new ArrayList<>();
    private @Nullable KeySource tenants;
    private final List<Route> exempt = new ArrayList<>();
    private PatternSyntax syntax = PatternSyntax.SEGMENTS;
    private HeaderFormat format = HeaderFormat.IETF;
    private boolean jitter;
    private boolean partitionKeys;
    private BiFunction<Request, Refusal, Refusal> refuser = (request, standard) -> standard;

    private Builder(Store store) {
      this.store = store;
    }

    /** Adds a rule. */
    public Builder rule(Rule rule) {
      return rules(List.of(rule));
    }

    /** Adds rules. */
    public Builder rules(Collection<Rule> rules) {
      this.rules.addAll(rules);
      return this;
    }

    /**
     * Trusts these addresses and prefixes ({@code 10.0.0.0/8}) to say in {@code X-Forwarded-For}
     * whom they speak for. Nobody is trusted if none are given.
     */
    public Builder trustedProxies(Collection<String> ranges) {
      proxies.addAll(ranges);
      return this;
    }

    /** As {@link #trustedProxies(Collection)}. */
    public Builder trustedProxies(String... ranges) {
      return trustedProxies(List.of(ranges));
    }

    /** Says how {@link KeySource#tenant} finds the tenant of a request. */
    public Builder tenant(KeySource source) {
      this.tenants = source;
      return this;
    }

    /** Lets clients with these addresses and prefixes pass, uncounted. */
    public Builder allow(Collection<String> ranges) {
      allowed.addAll(ranges);
      return this;
    }

    /**
     * Lets requests with these keys pass, uncounted, whatever the rules count by. A key is given
     * with its kind: {@code principal:monitor}.
     */
    public Builder allowKeys(Collection<String> keys) {
      allowedKeys.addAll(withKinds(keys));
      return this;
    }

    /** Refuses clients with these addresses and prefixes, also if they are allowed. */
    public Builder block(Collection<String> ranges) {
      blocked.addAll(ranges);
      return this;
    }

    /**
     * Refuses requests with these keys, whatever the rules count by, and also if they are allowed.
     * A key is given with its kind: {@code header:x-api-key:4711}.
     */
    public Builder blockKeys(Collection<String> keys) {
      blockedKeys.addAll(withKinds(keys));
      return this;
    }

    /** A key without its kind would match nothing, and nobody would notice. */
    private static Collection<String> withKinds(Collection<String> keys) {
      for (String key : keys) {
        if (key.indexOf(':') < 1) {
          throw new IllegalArgumentException(
              "a key of a list must have its kind in front, such as principal:monitor or"
                  + " header:x-api-key:4711: "
                  + key);
        }
      }
      return keys;
    }

    /**
     * Exempts these paths, such as {@code /healthz}, from rules without a pattern. A rule whose own
     * pattern matches such a path applies.
     */
    public Builder exempt(Collection<String> patterns) {
      for (String pattern : patterns) {
        exempt.add(new Route(null, pattern));
      }
      return this;
    }

    /** Reads the patterns of rules in another syntax than {@link PatternSyntax#SEGMENTS}. */
    public Builder patterns(PatternSyntax syntax) {
      if (syntax == null) {
        throw new IllegalArgumentException("the syntax of patterns must not be null");
      }
      this.syntax = syntax;
      return this;
    }

    /** Says how much is left in another form of headers than {@link HeaderFormat#IETF}. */
    public Builder headers(HeaderFormat format) {
      this.format = format;
      return this;
    }

    /** Adds to the fields of {@link HeaderFormat#IETF} whose budget it is, as a hash. */
    public Builder partitionKeys() {
      this.partitionKeys = true;
      return this;
    }

    /** Spreads {@code Retry-After} upwards by up to a tenth, 30 s at most, against stampedes. */
    public Builder retryJitter() {
      this.jitter = true;
      return this;
    }

    /** Replaces the response to a refused request, whole or in part. */
    public Builder refusal(BiFunction<Request, Refusal, Refusal> refuser) {
      this.refuser = refuser;
      return this;
    }

    /** A limiter with these settings. */
    public HttpLimiter build() {
      return build(rule -> true);
    }

    /** A limiter with those of the rules that can be asked before anybody is authenticated. */
    public HttpLimiter buildBeforeAuthentication() {
      return build(rule -> !needsPrincipal(rule));
    }

    /** A limiter with those of the rules that need to know who is authenticated. */
    public HttpLimiter buildAfterAuthentication() {
      return build(this::needsPrincipal);
    }

    private boolean needsPrincipal(Rule rule) {
      KeySource source = rule.source();
      return rule.needsPrincipal()
          || source.needsPrincipal()
          || (source.needsTenant() && tenants != null && tenants.needsPrincipal());
    }

    private void checkTenant(boolean needed, String what) {
      if (needed && tenants == null) {
        throw new IllegalArgumentException(
            what + "; call tenant(...), for example with KeySource.header(\"X-Tenant\")");
      }
    }

    private HttpLimiter build(Predicate<Rule> which) {
      for (Rule rule : rules) {
        checkTenant(
            rule.source().needsTenant(),
            "a rule by tenant must be told how to find one: rule " + rule.name());
      }
      if (tenants != null && tenants.needsTenant()) {
        throw new IllegalArgumentException(
            "the tenant must be found by another source than the tenant: " + tenants);
      }
      return new HttpLimiter(this, which);
    }
  }
}
