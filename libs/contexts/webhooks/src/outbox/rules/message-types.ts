/** Types of messages that are not events of the catalogue, as shown in lists of deliveries. */
export const CHAT_MESSAGE = 'approval.message';
export const MAIL_MESSAGE = 'approval.mail';
