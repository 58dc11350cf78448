import type { ChartWindow } from '../../chart/chart-drawing.ts'
import { pannedWindow } from '../../chart/panned-window.ts'
import { clockNow } from '../../format/clock.ts'
import { formatWindow } from '../../format/time.ts'
import { useFormats } from '../../preferences/use-preferences.ts'
import * as words from '../../words/messages.js'

type WindowControlProps = { window: ChartWindow; onWindow: (window: ChartWindow) => void; onPick: () => void }

/**
 * React component: controls for the charts' time window. Two buttons call `onWindow` with the window half its length earlier or later; a
 * third shows its times and calls `onPick`, which opens the dialog.
 */
export function WindowControl({ window, onWindow, onPick }: WindowControlProps) {
  const { fromMs, toMs } = window
  const formats = useFormats()
  const move = (halves: number) => onWindow(pannedWindow(window, (halves * (toMs - fromMs)) / 2, clockNow()))
  return (
    <span className="-mr-1.5 flex items-center max-sm:-ml-1.5">
      <Step label={words.pan_earlier()} sign="‹" onPress={() => move(-1)} />
      <button
        type="button"
        aria-haspopup="dialog"
        data-tooltip={words.pick_window()}
        onClick={onPick}
        className="h-6 rounded-control px-1.5 text-small text-muted underline decoration-dotted underline-offset-3 hover:bg-hover hover:text-text"
      >
        {formatWindow(fromMs, toMs, formats)}
      </button>
      <Step label={words.pan_later()} sign="›" onPress={() => move(1)} />
    </span>
  )
}

const Step = ({ label, sign, onPress }: { label: string; sign: string; onPress: () => void }) => (
  <button
    type="button"
    aria-label={label}
    data-tooltip={label}
    onClick={onPress}
    className="size-6 rounded-control text-muted hover:bg-hover hover:text-text"
  >
    {sign}
  </button>
)
