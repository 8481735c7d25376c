/** Labels of the kinds of session content. */
export const CONTENT_KINDS = {
  gateway_interaction: 'Model calls',
  tool_call: 'Tool calls',
  transcript_message: 'Messages',
  operator_note: 'Notes',
  flow_log: 'Flow logs',
} as const;
