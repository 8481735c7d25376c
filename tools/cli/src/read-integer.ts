import { InvalidArgumentError } from 'commander';

export function readInteger(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`The value must be a whole number from ${min} to ${max}.`);
  };
}
