import { AppError } from './app-error.ts';

describe('AppError', () => {
  it('has the status and the sentence of its code, or the sentence it was given', () => {
    expect(new AppError('not_found')).toMatchObject({ status: 404, message: 'There is no such resource.', detail: {} });
    expect(new AppError('conflict', { message: 'Taken.', detail: { field: 'name' } })).toMatchObject({
      status: 409,
      message: 'Taken.',
      detail: { field: 'name' },
    });
  });

  it('keeps its cause, and has none when none was given', () => {
    const cause = new Error('no');
    expect(new AppError('unavailable', { cause }).cause).toBe(cause);
    expect('cause' in new AppError('unavailable')).toBe(false);
  });
});
