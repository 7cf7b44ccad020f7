package dev.stint.http;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Store;
import dev.stint.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

  private final List<RuleInForce> rules;
  private final ClientAddresses addresses;
  private final @Nullable KeySource tenants;
  private final AddressSet allowed;
  private final AddressSet blocked;
  private final Set<String> allowedKeys;
  private final Set<String> blockedKeys;
  private final BiFunction<Request, Refusal, Refusal> refuser;
  private final Headers headers;
  private final boolean looksAtPath;

  private HttpLimiter(Builder builder, Predicate<Rule> which) {
    rules =
        builder.rules.stream()
            .filter(which)
            .map(rule -> RuleInForce.prepared(rule, builder.store, builder.format))
            .toList();
    RuleInForce.checkBudgets(rules);
    addresses = ClientAddresses.trusting(builder.proxies);
    tenants = builder.tenants;
    allowed = AddressSet.of(builder.allowed);
    blocked = AddressSet.of(builder.blocked);
    allowedKeys = Set.copyOf(builder.allowedKeys);
    blockedKeys = Set.copyOf(builder.blockedKeys);
    refuser = builder.refuser;
    headers = new Headers(builder.store.time(), builder.jitter, builder.partitionKeys);
    looksAtPath = rules.stream().anyMatch(RuleInForce::looksAtPath);
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
    List<Charge> charges = new ArrayList<>(1);
    Answer early = prepare(request, earlier, charges);
    if (early != null) {
      return early;
    }
    if (charges.size() == 1 && charges.get(0).isPlain()) {
      Charge only = charges.get(0);
      Decision decision = only.ask();
      return answer(request, earlier, only.parts(decision), decision.allowed());
    }
    List<Question> questions = Question.of(charges);
    List<Decision> decisions = new ArrayList<>();
    for (Question question : questions) {
      Decision decision = question.ask();
      decisions.add(decision);
      if (!decision.allowed()) {
        break;
      }
    }
    return answer(request, earlier, questions, decisions);
  }

  /** As {@link #decide(Request)}, without blocking a thread. */
  public CompletionStage<Answer> decideAsync(Request request) {
    return decideAsync(request, null);
  }

  /** As {@link #decide(Request, Answer)}, without blocking a thread. */
  public CompletionStage<Answer> decideAsync(Request request, @Nullable Answer earlier) {
    List<Charge> charges = new ArrayList<>(1);
    Answer early = prepare(request, earlier, charges);
    if (early != null) {
      return CompletableFuture.completedFuture(early);
    }
    List<Question> questions = Question.of(charges);
    return askAsync(questions, new ArrayList<>(1))
        .thenApply(decisions -> answer(request, earlier, questions, decisions));
  }

  private static CompletionStage<List<Decision>> askAsync(
      List<Question> questions, List<Decision> decisions) {
    return questions
        .get(decisions.size())
        .askAsync()
        .thenCompose(
            decision -> {
              decisions.add(decision);
              boolean last = !decision.allowed() || decisions.size() == questions.size();
              return last
                  ? CompletableFuture.completedFuture(decisions)
                  : askAsync(questions, decisions);
            });
  }

  /** Collects what is to be asked; or answers at once, if there is nothing to ask. */
  private @Nullable Answer prepare(
      Request request, @Nullable Answer earlier, List<Charge> charges) {
    request.readBy(addresses, tenants);
    if (contains(blocked, request)) {
      return refused(request, Problem.blocked());
    }
    if (contains(allowed, request)) {
      return Answer.free(headers, earlier);
    }
    Path path = looksAtPath ? Path.of(request.path()) : null;
    for (RuleInForce rule : rules) {
      String pattern = rule.matching(request, path);
      if (pattern == null) {
        continue;
      }
      request.matchedBy(pattern);
      String text = rule.rule().source().text(request);
      if (text == null && rule.rule().missingKey() == MissingKey.DENY) {
        if (!rule.rule().isShadow()) {
          return refused(request, Problem.missingKey(rule.rule().name()));
        }
      } else if (text != null && blockedKeys.contains(text)) {
        return refused(request, Problem.blocked());
      } else if (applies(rule.rule(), text)) {
        charge(rule, text, request, charges);
      }
    }
    return charges.isEmpty() ? Answer.free(headers, earlier) : null;
  }

  private static boolean contains(AddressSet set, Request request) {
    if (set.isEmpty()) {
      return false;
    }
    IpAddress client = request.client();
    return client != null && set.contains(client);
  }

  private boolean applies(Rule rule, @Nullable String text) {
    return text == null ? rule.missingKey() != MissingKey.SKIP : !allowedKeys.contains(text);
  }

  private static void charge(
      RuleInForce rule, @Nullable String text, Request request, List<Charge> charges) {
    long cost = rule.rule().costOf(request);
    if (cost > 0) {
      charges.add(new Charge(rule, rule.key(text), cost));
    }
  }

  private Answer answer(
      Request request,
      @Nullable Answer earlier,
      List<Question> questions,
      List<Decision> decisions) {
    int last = decisions.size() - 1;
    boolean passes = decisions.get(last).allowed();
    List<Part> parts = new ArrayList<>(2);
    for (int i = 0; i <= last; i++) {
      questions.get(i).parts(decisions.get(i), parts);
      if (!passes && i < last) {
        questions.get(i).refund(decisions.get(i));
      }
    }
    return answer(request, earlier, parts, passes);
  }

  private Answer answer(
      Request request, @Nullable Answer earlier, List<Part> parts, boolean passes) {
    if (passes) {
      return Answer.of(parts, headers, earlier, null);
    }
    List<String> violated =
        parts.stream().filter(Part::refuses).map(part -> part.policy().name()).toList();
    Refusal standard = Problem.quotaExceeded(violated, headers.retryAfter(Part.deciding(parts)));
    return Answer.of(parts, headers, earlier, refusal(request, standard));
  }

  private Answer refused(Request request, Refusal standard) {
    return Answer.refused(headers, refusal(request, standard));
  }

  /** The user's refusal; the standard one if theirs is null, or the request would pass. */
  private Refusal refusal(Request request, Refusal standard) {
    Refusal theirs = refuser.apply(request, standard);
    return theirs == null ? standard : theirs;
  }

  /** Whether it has nothing to decide: no rules, and nobody is blocked. */
  public boolean isIdle() {
    return rules.isEmpty() && blocked.isEmpty();
  }

  /** The rules, in the order in which they were given. */
  public List<Rule> rules() {
    return rules.stream().map(RuleInForce::rule).toList();
  }

  /**
   * Asks what a rule's limits would say to one unit for a key, and takes nothing. The key is as the
   * rule finds it, such as {@code 203.0.113.9} for a rule by address.
   */
  public Decision peek(String rule, String key) {
    RuleInForce found = find(rule);
    return found.limiter().peek(limits(found, key));
  }

  /** Forgets what a rule has counted for a key, which is as in {@link #peek}. */
  public void reset(String rule, String key) {
    RuleInForce found = find(rule);
    found.limiter().reset(limits(found, key));
  }

  private static KeyedLimit[] limits(RuleInForce rule, String typed) {
    Key key = rule.key(rule.rule().source().textOf(typed));
    return rule.policies().stream()
        .map(policy -> policy.limit().on(key))
        .toArray(KeyedLimit[]::new);
  }

  private RuleInForce find(String name) {
    for (RuleInForce rule : rules) {
      if (rule.rule().name().equals(name)) {
        return rule;
      }
    }
    throw new IllegalArgumentException(
        "the name of a rule must be one of "
            + new TreeSet<>(rules.stream().map(rule -> rule.rule().name()).toList())
            + ": "
            + name);
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

    /** Does not apply rules to these keys, given with their kind: {@code principal:monitor}. */
    public Builder allowKeys(Collection<String> keys) {
      allowedKeys.addAll(withKinds(keys));
      return this;
    }

    /** Refuses clients with these addresses and prefixes, also if they are allowed. */
    public Builder block(Collection<String> ranges) {
      blocked.addAll(ranges);
      return this;
    }

    /** Refuses these keys, given with their kind: {@code header:x-api-key:4711}. */
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

    /** A limiter with those of the rules that count by whoever is authenticated. */
    public HttpLimiter buildAfterAuthentication() {
      return build(this::needsPrincipal);
    }

    private boolean needsPrincipal(Rule rule) {
      KeySource source = rule.source();
      return source.needsPrincipal()
          || (source.needsTenant() && tenants != null && tenants.needsPrincipal());
    }

    private HttpLimiter build(Predicate<Rule> which) {
      for (Rule rule : rules) {
        if (rule.source().needsTenant() && tenants == null) {
          throw new IllegalArgumentException(
              "a rule by tenant must be told how to find one: rule "
                  + rule.name()
                  + "; call tenant(...), for example with KeySource.header(\"X-Tenant\")");
        }
      }
      if (tenants != null && tenants.needsTenant()) {
        throw new IllegalArgumentException(
            "the tenant must be found by another source than the tenant: " + tenants);
      }
      return new HttpLimiter(this, which);
    }
  }
}
