import * as words from '../../words/messages.js'

/** Dash for an unknown value, announced as "unknown" by screen readers. */
export function Unknown() {
  return (
    <span className="text-faint">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{words.unknown()}</span>
    </span>
  )
}
