/** Error when a source that should exist cannot be read or does not have the documented format. */
export class SourceUnreadable extends Error {
  override readonly name = 'SourceUnreadable'
}
