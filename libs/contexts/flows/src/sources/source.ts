/** Header names in lower case, as Node provides them. */
export type SourceHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface SignedRequest {
  readonly headers: SourceHeaders;
  readonly rawBody: Buffer;
  /** One of the flow's signing secrets; each is tried. */
  readonly secret: string;
  readonly now: Date;
}

/** Facts that a host's request contains about itself. */
export interface SourceEvent {
  /** Every name that `event_types` may use for it, the host's own first; empty if the request names none. */
  readonly names: readonly string[];
  readonly action?: string | undefined;
  readonly deliveryId?: string | undefined;
  /** Equal for the same event, however often it is sent; undefined: each request is a separate event. */
  readonly repeatKey?: string | undefined;
  /** Reason why nothing runs: a ping, a challenge, the confirmation of a subscription. */
  readonly handshake?: string | undefined;
  /** The body of the 200 response that the host expects. */
  readonly answer?: Readonly<Record<string, string>> | undefined;
}

export interface ReadEventInput {
  readonly headers: SourceHeaders;
  readonly payload: Readonly<Record<string, unknown>>;
  /** SHA-256 of the body in hex: for hosts with ids shared by several events. */
  readonly bodyDigest: string;
}

export interface WrapInput {
  readonly value: unknown;
  readonly headers: SourceHeaders;
  /** Parses JSON within JSON; undefined for an invalid or too deeply nested string. */
  readonly parse: (text: string) => unknown;
}

/** Describes the webhooks of one host. */
export interface WebhookSource {
  /** In addition to JSON. A form contains JSON in its field `payload`, or is converted to an object of its fields. */
  readonly mediaTypes: readonly string[];
  /** Headers for the run, in lower case. */
  readonly headers: readonly string[];
  /** `nothing` for a sender without signatures. */
  readonly signs?: 'nothing';
  /** False for a signature that is missing, too old or for another body. */
  readonly verify: (request: SignedRequest) => boolean;
  readonly readEvent: (input: ReadEventInput) => SourceEvent;
  /** The payload of a run, if it is not the unchanged body. */
  readonly wrap?: (input: WrapInput) => unknown;
}
