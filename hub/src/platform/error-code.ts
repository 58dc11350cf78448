/**
 * Returns the `code` of a Node.js or system error, such as `ENOENT` (errno(3)). `undefined` for an error without a code and for any other
 * value.
 */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
