import { messageOf } from '../../api/request-failed.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'
import type { Live } from './use-live-frames.ts'

type LiveButtonProps = { live: Live; onToggle: () => void }

/**
 * React component: toggle button for live charts (one sample per second), with the time of the last sample. `live` is the state of the
 * stream; `onToggle` must switch it on or off.
 */
export function LiveButton({ live, onToggle }: LiveButtonProps) {
  const formats = useFormats()
  const isOn = live.kind !== 'off'
  const isFresh = live.kind === 'on' && !live.isStale
  return (
    <>
      <span className="flex self-center text-small text-muted max-sm:order-last">
        <output>
          {live.kind === 'waiting' && words.live_waiting()}
          {live.kind === 'on' && live.isStale && (
            <span className="whitespace-nowrap">{words.live_ended({ time: formatTime(live.lastMs, 'second', formats) })}</span>
          )}
          {live.kind === 'failed' && `${words.live_failed()} ${messageOf(live.error)}`}
        </output>
        {isFresh && <span className="whitespace-nowrap">{words.live_last({ time: formatTime(live.lastMs, 'second', formats) })}</span>}
      </span>
      <Button
        aria-pressed={isOn}
        data-tooltip={words.live_mode_about()}
        onClick={onToggle}
        className={cn('gap-1.5', isOn ? 'bg-track font-medium hover:border-control-border' : 'text-muted')}
      >
        <span className={cn('size-2 rounded-full', isFresh ? 'bg-ok-fill' : 'border border-faint')} />
        {words.live_mode()}
      </Button>
    </>
  )
}
