import { messageOf } from '../../api/request-failed.ts'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'

type FailedChartsProps = {
  set: { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void } | { readonly state: 'loading' | 'ready' }
  message: string
  className: string
}

/**
 * React component: error `message` with a retry button, in place of the host charts or container charts whose data failed to load. `set` is
 * the loading state of those charts; renders nothing unless it is `failed`.
 */
export const FailedCharts = ({ set, message, className }: FailedChartsProps) =>
  set.state === 'failed' && (
    <output className={cn('flex flex-wrap items-center gap-2 text-note text-muted', className)}>
      {message} {messageOf(set.error)}
      <button type="button" onClick={set.retry} className="h-6 rounded-control px-1.5 text-accent underline">
        {words.retry()}
      </button>
    </output>
  )
