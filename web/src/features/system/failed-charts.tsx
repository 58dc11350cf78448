import { messageOf } from '../../api/request-failed.ts'
import { cn } from '../../ui/cn.ts'
import * as words from '../../words/messages.js'

type FailedChartsProps = { message: string; error: unknown; retry: () => void; className: string }

/** One quiet line where charts would be that could not be read. */
export const FailedCharts = ({ message, error, retry, className }: FailedChartsProps) => (
  <output className={cn('flex flex-wrap items-center gap-2 text-note text-muted', className)}>
    {message} {messageOf(error)}
    <button type="button" onClick={retry} className="h-6 rounded-control px-1.5 text-accent underline">
      {words.retry()}
    </button>
  </output>
)
