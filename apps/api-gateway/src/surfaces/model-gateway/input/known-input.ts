const words = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

/**
 * Fields that providers read, and whose cost depends on their own bytes or is zero: any other field may refer to
 * something outside the body.
 */
export const SIZED_FIELDS = words(
  'model messages input instructions system tools functions tool_choice function_call stop stop_sequences',
  'stream stream_options store background metadata client_metadata include truncation user user_profile_id',
  'safety_identifier prompt_cache_key prompt_cache_retention prompt_cache_options cache_control diagnostics',
  'reasoning reasoning_effort thinking text verbosity response_format output_config output_format betas moderation',
  'context_management logit_bias modalities audio encoding_format chat_template_kwargs service_tier speed usage',
  'inference_geo input_type task truncate stop_token_ids structured_outputs bad_words allowed_token_ids',
  'guided_json guided_regex guided_choice guided_grammar guided_decoding_backend reasoning_format',
);
/** Boolean options without any cost apart from the output. */
export const SWITCHES = words(
  'parallel_tool_calls logprobs echo strict safe_prompt enable_thinking include_reasoning early_stopping',
  'add_generation_prompt continue_final_message add_special_tokens skip_special_tokens ignore_eos use_beam_search',
  'include_stop_str_in_output spaces_between_special_tokens return_token_ids return_tokens_as_token_ids',
);
/** Numeric options without any cost apart from the output; an unknown option might be a number of responses. */
export const NUMBERS = words(
  'temperature top_p top_k min_p top_a typical_p tfs_z seed random_seed presence_penalty frequency_penalty dimensions',
  'repetition_penalty repeat_penalty length_penalty no_repeat_ngram_size top_logprobs prompt_logprobs min_tokens n best_of',
  'max_tokens max_completion_tokens max_output_tokens max_tool_calls thinking_budget truncate_prompt_tokens timeout priority',
  'num_ctx num_predict mirostat mirostat_eta mirostat_tau reasoning_budget',
);
/** Service tiers that cost at most the price of the model. */
export const PLAIN_TIERS = words('auto default standard standard_only flex on_demand');
/** Tools that the client runs: their results are sent in the body of a later call. */
export const CLIENT_TOOLS =
  /^(?:function|custom|local_shell|apply_patch|computer|computer_use_preview|(?:bash|text_editor|computer|computer_toolset|memory)_\d{8})$/;
/**
 * Types of items and parts whose content is completely in the body, unless one of their members refers to external
 * content.
 */
export const SIZED_PARTS = words(
  'message text input_text output_text summary_text reasoning_text refusal thinking redacted_thinking tool_use',
  'server_tool_use tool_result search_result function_call function_call_output custom_tool_call function',
  'custom_tool_call_output local_shell_call local_shell_call_output shell_call shell_call_output apply_patch_call',
  'apply_patch_call_output computer_call computer_call_output computer_screenshot web_search_call mcp_call mcp_list_tools',
  'mcp_approval_request mcp_approval_response mcp_tool_use mcp_tool_result compaction reasoning image image_url',
  'input_image input_audio document base64 content tool_reference tool_search_tool_result tool_search_tool_search_result',
  'tool_search_call tool_search_output tool_addition tool_removal input_file file web_search_tool_result web_search_result',
  'web_fetch_tool_result web_fetch_result code_execution_tool_result code_execution_result code_execution_output',
  'bash_code_execution_tool_result bash_code_execution_result bash_code_execution_output',
  'text_editor_code_execution_tool_result text_editor_code_execution_view_result',
  'text_editor_code_execution_create_result text_editor_code_execution_str_replace_result',
);
/**
 * Parts that refer to content which was read before this call: the body contains that content, so the reference causes
 * no cost.
 */
export const FOUND_PARTS = words(
  'web_search_result web_fetch_result search_result code_execution_output bash_code_execution_output tool_reference',
);
/** Members that contain further parts. */
export const HOLDERS = words('content output image_url source file input_audio');
/**
 * Names of members of a part whose value may be a list or an object: the provider reads the value as text, or the value
 * is only meant for the client.
 */
export const PLAIN_MEMBERS = words(
  'cache_control citations input arguments tool_calls annotations function function_call action actions summary logprobs',
  'reasoning_details provider_options caller error results tools outputs status acknowledged_safety_checks operation',
  'pending_safety_checks encrypted_content tool_references metadata phase extra_content thinking_blocks execution',
);
/** Names of members whose string refers to external content. */
export const POINTER = /(?:^|_)(?:url|uri|file_ids?)$/;
