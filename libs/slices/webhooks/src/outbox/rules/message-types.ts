/** What goes out beside the events of the catalogue; as lists of deliveries show it. */
export const CHAT_MESSAGE = 'approval.message';
export const MAIL_MESSAGE = 'approval.mail';
