import fc from 'fast-check';
import { validateWorkspaceFiles } from '@steward/flows';
import { describePathProblem } from '@steward/flows/workspace-files';
import { countBase64Bytes, describeCollisions } from './workspace-rules.ts';

/** Path segments that the rules mention, so that random paths contain them. */
const piece = fc.constantFrom(
  ...['a', 'A', 'é', 'e\u0301', '.', '..', '', '.git', '.GIT', 'git~1', '~', '~x', 'con', 'NUL.txt', 'x.', 'x '],
  ...['\\', 'C:', '\u0000', '\u200d.git', 'ﬁle', '\ud800', 'x'.repeat(256), 'src', 'İ'],
);
const path = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/')),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

describe('rules of workspace files', () => {
  it('match the service: a path is accepted if and only if the service accepts it', () => {
    fc.assert(
      fc.property(path, (candidate) => {
        const verdict = validateWorkspaceFiles([{ path: candidate, content_base64: '' }]);
        expect(describePathProblem(candidate) === undefined).toBe(verdict.kind === 'valid');
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['C:/x', './C:/x', './/./c:x'])('refuse the drive letter in %s', (candidate) => {
    expect(describePathProblem(candidate)).toBeDefined();
  });

  it('match the service: files collide if and only if the service refuses them', () => {
    const usable = path.filter(
      (candidate) => describePathProblem(candidate) === undefined && !/\/\/|(^|\/)\.\//.test(candidate),
    );
    fc.assert(
      fc.property(fc.array(usable, { minLength: 1, maxLength: 5 }), (paths) => {
        const declared = paths.map((name) => ({ path: name, content_base64: '' }));
        expect(describeCollisions(paths).length === 0).toBe(validateWorkspaceFiles(declared).kind === 'valid');
      }),
      { numRuns: 1000 },
    );
  });

  it.each([0, 1, 2, 3, 4, 73_727, 73_728, 73_729])('calculate the base64 length of %i bytes', (size) => {
    expect(countBase64Bytes(size)).toBe(Buffer.alloc(size).toString('base64').length);
  });
});
