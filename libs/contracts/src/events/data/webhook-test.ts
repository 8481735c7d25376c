import { defineData } from './define-data.ts';
import { nullable, text, uuid } from './fields.ts';

export const webhookTest = defineData({
  fields: {
    message: text('Fixed sentence that says that the event is a test.'),
    endpoint_id: uuid('The endpoint under test.'),
    requested_by_user_id: nullable(uuid('Id of the user who requested the test.')),
  },
  example: {
    message: 'This is a test delivery from Steward.',
    endpoint_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b1c',
    requested_by_user_id: '0199f3a2-6a60-7c1e-9d53-0a4f5f0d1b14',
  },
});
