/** Thrown by what looks at an input: something is not in the body, and nothing further need be known of it. */
export class StopLooking extends Error {
  readonly reference: string;

  constructor(reference: string) {
    super(reference);
    this.name = 'StopLooking';
    this.reference = reference;
  }
}
