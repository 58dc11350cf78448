import { Notice } from '../../ui/notice.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import * as words from '../../words/messages.js'

/** The hub writes its log to its standard error and keeps none: that is said, with where it can be read. */
export function LogsPage() {
  usePageTitle(`${words.admin_logs()} / Vedette`)
  return (
    <div className="flex flex-col gap-3">
      <h1 className="flex min-h-13 items-center text-title font-semibold tracking-tight">{words.admin_logs()}</h1>
      <Notice title={words.office_no_logs()} detail={words.office_no_logs_detail()} />
    </div>
  )
}
