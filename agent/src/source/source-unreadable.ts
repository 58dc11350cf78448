/** A source that should exist could not be read, or did not have the documented format. */
export class SourceUnreadable extends Error {
  override readonly name = 'SourceUnreadable'
}
