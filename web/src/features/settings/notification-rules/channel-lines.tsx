import * as words from '../../../words/messages.js'

type ChannelLinesProps = {
  channels: readonly string[]
  /** List of the addresses in the user's settings (email addresses, webhook URLs). A channel that is not among them is shown as removed. */
  addresses: readonly string[]
  /** Translated text that is shown if none of the channels is in the settings any more. */
  allRemoved: string
}

/**
 * React component: list of notification channels (email addresses, webhook URLs). A channel that is not in `addresses`, so no longer in the
 * settings, is marked as removed.
 */
export function ChannelLines({ channels, addresses, allRemoved }: ChannelLinesProps) {
  return (
    <>
      <ul className="flex min-w-0 flex-col text-note text-muted">
        {[...new Set(channels)].map((address) => (
          <li key={address} className="flex min-w-0 gap-2">
            <span className="min-w-0 truncate" data-tooltip={address}>
              {address}
            </span>
            {!addresses.includes(address) && <span className="shrink-0 text-warn">{words.notify_rule_removed()}</span>}
          </li>
        ))}
      </ul>
      {!channels.some((address) => addresses.includes(address)) && <p className="text-note text-muted">{allRemoved}</p>}
    </>
  )
}
