/** Content of a notice, independent of the service that shows it. */
export interface Notice {
  /** One line, without a line break. */
  readonly title: string;
  /** Values with their labels, most important first. */
  readonly facts: readonly NoticeFact[];
  /** Path of the console page that shows the details; the page requires a login. */
  readonly path: string;
  readonly urgency: 'normal' | 'high' | 'urgent';
}

export type NoticeFact = readonly [label: string, value: string];

/** A notice with the complete URL of its page. */
export interface LinkedNotice extends Omit<Notice, 'path'> {
  readonly url: string;
}
