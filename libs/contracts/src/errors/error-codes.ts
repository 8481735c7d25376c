/**
 * Every error code an HTTP client can see, with its status and the sentence used when the thrower gives none.
 * When each is answered: docs/contract/errors.md, which a test holds against this table.
 */
export const ERROR_CODES = {
  malformed_json: { status: 400, message: 'The request body is not valid JSON.' },
  bad_request: { status: 400, message: 'The request could not be read as HTTP.' },
  invalid_workspace_files: { status: 400, message: 'The workspace_files declaration is invalid.' },
  wrong_provider: { status: 400, message: 'The model is served by a provider with another API.' },
  unauthenticated: { status: 401, message: 'Send a valid access token or API key as "Authorization: Bearer <token>".' },
  invalid_credentials: { status: 401, message: 'The username or password is wrong.' },
  invalid_signature: {
    status: 401,
    message: 'The signature fits none of the signing secrets, is missing, or is too old.',
  },
  permission_denied: { status: 403, message: 'Your role does not include the permission this request needs.' },
  cross_origin_request: { status: 403, message: 'This route answers pages of this service alone.' },
  registration_closed: {
    status: 403,
    message: 'This deployment takes no registrations. Ask somebody who manages users for an invitation.',
  },
  account_scope_not_granted: {
    status: 403,
    message:
      'This agent may search its own sessions only. Ask for the scope "own", or have an administrator grant it "session_search.account_scope".',
  },
  no_agent_identity: {
    status: 403,
    message: 'The credential stands for no agent and no API key, so that it has no sessions of its own to search.',
  },
  agent_suspended: { status: 403, message: 'The agent of this key is suspended.' },
  api_key_scope_denied: { status: 403, message: 'This API key may only report what discovery finds.' },
  discovery_disabled: { status: 403, message: 'Discovery is turned off. Who manages agents can turn it on.' },
  kill_switch_engaged: {
    status: 403,
    message: 'The agents of this account are stopped. Who may manage the kill switch can release it.',
  },
  not_an_approver: { status: 403, message: 'You are not among those who may decide this request.' },
  model_not_allowed: { status: 403, message: 'The limits of this API key do not include the model.' },
  budget_exceeded: { status: 403, message: 'The call may cost more than a budget has left.' },
  unpriced_model: {
    status: 403,
    message: 'Nobody knows the price of the model, and a budget limits what may be spent. Set its prices.',
  },
  unsized_call: {
    status: 403,
    message: 'The body does not show what the call costs, and a budget refuses such calls.',
  },
  self_approval: { status: 403, message: 'The call is your own. Somebody else has to decide it.' },
  not_found: { status: 404, message: 'There is no such resource.' },
  model_not_found: { status: 404, message: 'The account has no model of this name.' },
  method_not_allowed: { status: 405, message: 'This path does not support that method.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  conflict: { status: 409, message: 'The request conflicts with the current state of the resource.' },
  endpoint_limit_reached: { status: 409, message: 'The account already has the maximum number of webhook endpoints.' },
  model_in_use: { status: 409, message: 'The model is in use. Take it out of what names it first.' },
  already_voted: { status: 409, message: 'You have decided on this request already.' },
  already_resolved: { status: 409, message: 'The request is decided already. "detail" says how.' },
  no_webhook: { status: 409, message: 'The workflow has no receiver, and so no secret.' },
  quota_reached: { status: 409, message: 'The account already has as many of these as it may have.' },
  flow_disabled: { status: 409, message: 'The flow is disabled. Enable it before triggering it.' },
  execution_active: { status: 409, message: 'An execution of this flow is still active.' },
  legal_hold: { status: 409, message: 'The session is under legal hold. Lift the hold before deleting it.' },
  idempotency_key_reused: { status: 409, message: 'This idempotency key was already used with another body.' },
  precondition_failed: {
    status: 412,
    message: 'Another version is in force than the one named in If-Match. Read it, and send your change again.',
  },
  payload_too_large: { status: 413, message: 'The request body is larger than this route accepts.' },
  workspace_files_too_large: { status: 413, message: 'The workspace_files declaration is larger than allowed.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json.' },
  invalid_request: { status: 422, message: 'The request is not valid.' },
  invalid_policy: { status: 422, message: 'The policy is not valid. "errors" says where and why.' },
  unknown_agent: { status: 422, message: 'There is no such agent in the account.' },
  weak_password: { status: 422, message: 'This password is among the first that are guessed. Choose another.' },
  unknown_event_type: { status: 422, message: 'The event type does not exist.' },
  invalid_url: { status: 422, message: 'The URL is not acceptable.' },
  target_blocked: { status: 422, message: 'The URL points at an address this deployment does not deliver to.' },
  query_has_no_terms: {
    status: 422,
    message:
      'The query asks for no word: it holds exclusions or signs alone. Add at least one word to look for, or put the flags of a command in quotes.',
  },
  model_required: { status: 422, message: 'Embedding needs a model. Send "model_identifier".' },
  base_url_required: { status: 422, message: 'Embedding needs the endpoint of a provider. Send "base_url".' },
  invalid_base_url: { status: 422, message: 'The endpoint of the provider is not acceptable.' },
  unknown_provider: { status: 422, message: 'The provider does not exist. Send "generic_compatible".' },
  invalid_scope: { status: 422, message: 'The scope does not exist. Send "summaries_only" or "full".' },
  invalid_daily_cap: {
    status: 422,
    message: 'The daily cap is a number of US dollars from 0 to 100000 with at most six decimals, or null.',
  },
  provider_requires_enable: {
    status: 422,
    message:
      'Details of the provider are taken only by a save that leaves embedding on. Send "enabled": true with them.',
  },
  key_limit_reached: {
    status: 429,
    message: 'A limit of this API key is reached. Try again after the time in Retry-After.',
  },
  rate_limited: { status: 429, message: 'Too many requests. Try again after the time in Retry-After.' },
  outbox_full: {
    status: 429,
    message: 'The account has too many undelivered events. Try again when some were delivered.',
  },
  headers_too_large: { status: 431, message: 'The request headers are larger than the service accepts.' },
  internal: {
    status: 500,
    message: 'The service failed to handle the request. Report the request id to the operator.',
  },
  provider_unreachable: { status: 502, message: 'The provider of the model could not be reached.' },
  search_timeout: {
    status: 503,
    message: 'The search took longer than its time budget. Narrow it by a filter or a rarer word.',
  },
  unavailable: {
    status: 503,
    message: 'The service cannot answer right now. Try again after the time in Retry-After.',
  },
  provider_timeout: { status: 504, message: 'The provider of the model did not answer in time.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
