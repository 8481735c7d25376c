/**
 * Thrown at the first part of an input because of which the cost of the call cannot be determined from its body: the
 * rest of the input need not be read.
 */
export class StopLooking extends Error {
  readonly reference: string;

  constructor(reference: string) {
    super(reference);
    this.name = 'StopLooking';
    this.reference = reference;
  }
}
