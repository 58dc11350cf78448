import * as words from '../../words/messages.js'

/** React component: dash that is displayed for an unknown value and announced as "unknown" by screen readers. */
export function Unknown() {
  return (
    <span className="text-faint">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{words.unknown()}</span>
    </span>
  )
}
