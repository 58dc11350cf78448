/** Error when a file or service that should exist, such as /proc/stat or Docker, cannot be read or does not have the documented format. */
export class SourceUnreadable extends Error {
  override readonly name = 'SourceUnreadable'
}
