import * as words from '../../words/messages.js'

/** A value nobody knows: never shown as 0. */
export function Unknown() {
  return (
    <span className="text-faint">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{words.unknown()}</span>
    </span>
  )
}
