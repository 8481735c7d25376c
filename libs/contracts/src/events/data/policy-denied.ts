import { defineData } from './define-data.ts';
import { integer, literal, nullable, text, uuid } from './fields.ts';

export const policyDenied = defineData({
  fields: {
    tool_name: text('Tool whose call was denied.'),
    decision: literal('deny', 'Always `deny`.'),
    rule_description: text('Description of the rule.'),
    condition_matched: nullable(text('Condition that matched.')),
    execution_id: nullable(uuid('Id of the flow execution that made the call.')),
    user_id: nullable(uuid('Id of the user on whose behalf the call was made.')),
    correlation_id: nullable(text('Id that links the call to the caller’s own records.')),
    policy_version: integer('Version of the policy that denied the call.'),
  },
  example: {
    tool_name: 'delete_database',
    decision: 'deny',
    rule_description: 'Agents never drop databases',
    condition_matched: "tool.name.startsWith('delete_')",
    execution_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b15',
    user_id: null,
    correlation_id: 'call-8812',
    policy_version: 4,
  },
});
