/** Types of messages that are not events of the catalogue, as lists of deliveries show them. */
export const CHAT_MESSAGE = 'approval.message';
export const MAIL_MESSAGE = 'approval.mail';
