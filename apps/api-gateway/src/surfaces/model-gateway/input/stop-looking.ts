/** Thrown while reading an input: something is not in the body, so the rest does not need to be read. */
export class StopLooking extends Error {
  readonly reference: string;

  constructor(reference: string) {
    super(reference);
    this.name = 'StopLooking';
    this.reference = reference;
  }
}
