import { messageOf } from '../../api/request-failed.ts'
import { formatTime } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'
import type { Live } from './use-live-frames.ts'

type LiveButtonProps = { live: Live; onToggle: () => void }

/** Shows what is measured each second, and says so while it does not come. */
export function LiveButton({ live, onToggle }: LiveButtonProps) {
  const formats = useFormats()
  const isOn = live.kind !== 'off'
  return (
    <>
      <output className="self-center text-small text-muted max-sm:order-last">
        {live.kind === 'waiting' && words.live_waiting()}
        {live.kind === 'on' && live.endedMs !== undefined && (
          <span className="whitespace-nowrap">{words.live_ended({ time: formatTime(live.endedMs, 'time', formats) })}</span>
        )}
        {live.kind === 'failed' && `${words.live_failed()} ${messageOf(live.error)}`}
      </output>
      <Button
        aria-pressed={isOn}
        data-tooltip={words.live_mode_about()}
        onClick={onToggle}
        className={cn('gap-1.5', isOn ? 'bg-track font-medium hover:border-control-border' : 'text-muted')}
      >
        <span
          className={cn('size-2 rounded-full', live.kind === 'on' && live.endedMs === undefined ? 'bg-ok-fill' : 'border border-faint')}
        />
        {words.live_mode()}
      </Button>
    </>
  )
}
