import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import * as words from '../words/messages.js'

type PagerProps = { page: number; pages: number | undefined; onPage: (page: number) => void; children?: ReactNode }

/**
 * React component: page number of a list, and buttons that call `onPage` with the previous or next page. `page` counts from 1; `pages` (the
 * number of pages) is `undefined` while loading.
 */
export const Pager = ({ page, pages = 1, onPage, children }: PagerProps) => (
  <div className="flex flex-wrap items-center justify-end gap-2 text-note text-muted">
    {children}
    <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
      {words.office_previous()}
    </Button>
    {words.office_page_of({ page, pages: Math.max(1, pages) })}
    <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
      {words.office_next()}
    </Button>
  </div>
)
