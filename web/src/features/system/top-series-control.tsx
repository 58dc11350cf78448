import { messageOf } from '../../api/request-failed.ts'
import { seriesCounts, type Settings } from '../../preferences/settings.ts'
import { storedChange } from '../../preferences/stored-change.ts'
import { useChangeSettings } from '../../preferences/use-change-settings.ts'
import { useSettings } from '../../preferences/use-preferences.ts'
import { cn } from '../../ui/cn.ts'
import { showToast } from '../../ui/toasts.ts'
import * as words from '../../words/messages.js'

/**
 * React component: row of buttons for the maximum number of series (5, 10, 20 or all) that charts draw one by one. The choice is saved to
 * the account and applies to all charts but comparisons of systems. `undrawnCount` is the number of series not drawn.
 */
export function TopSeriesControl({ undrawnCount }: { undrawnCount: number }) {
  const { chartSeries } = useSettings()
  const saving = useChangeSettings()
  const choose = (count: Settings['chartSeries']) =>
    saving.mutate(
      { merge: storedChange({ chartSeries: count }) },
      { onError: (error) => showToast({ title: words.settings_failed(), description: messageOf(error), look: 'destructive' }) },
    )
  return (
    <>
      {undrawnCount > 0 && <span className="px-1.5">{words.series_undrawn({ count: undrawnCount })}</span>}
      <fieldset aria-label={words.series_drawn()} data-tooltip={words.series_drawn()} className="flex items-center">
        {seriesCounts.map((count) => (
          <button
            key={count}
            type="button"
            aria-pressed={count === chartSeries}
            onClick={() => choose(count)}
            className={cn(
              'h-6 min-w-6 rounded-control px-1.5',
              count === chartSeries ? 'bg-track font-medium text-text hover:bg-border-strong' : 'hover:bg-hover',
            )}
          >
            {count === 'all' ? words.series_all() : count}
          </button>
        ))}
      </fieldset>
    </>
  )
}
