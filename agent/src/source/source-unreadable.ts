/** A source that should be there could not be read, or was not what its manual says. */
export class SourceUnreadable extends Error {
  override readonly name = 'SourceUnreadable'
}
