import { useEffect, useState } from 'react'
import { followAccess } from '../../../api/follow-access.ts'
import { Button } from '../../../ui/button.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { usePageTitle } from '../../../ui/use-page-title.ts'
import * as words from '../../../words/messages.js'
import { AccessDialogs, type AccessDialog } from './access-dialogs.tsx'
import { AllTagsCard } from './all-tags-card.tsx'
import { GroupsCard } from './groups-card.tsx'
import { OwnGrantsCard } from './own-grants-card.tsx'
import { TagRulesCard } from './tag-rules-card.tsx'
import { useAccess } from './use-access.ts'

/** React component: page for admins about groups of people, and the tags whose systems groups and people may view or change. */
export function AccessPage() {
  usePageTitle(words.title_access())
  // Before the lists are fetched, so that they are fetched once.
  useEffect(followAccess, [])
  const access = useAccess()
  const [dialog, setDialog] = useState<AccessDialog>()
  const { failure, retry } = access
  return (
    <main className="mx-auto flex w-full max-w-4xl flex-1 flex-col gap-3.5 px-6 pb-10 max-sm:px-3">
      <PageHeader title={words.access()} description={words.access_about()} />
      {failure !== undefined && (
        <div role="alert" className="flex flex-wrap items-center gap-3 rounded-control bg-crit-soft px-3 py-2 text-note text-crit">
          <p className="min-w-40 flex-1 wrap-anywhere">{words.access_partial({ reason: failure })}</p>
          <Button className="text-text" onClick={retry}>
            {words.retry()}
          </Button>
        </div>
      )}
      <GroupsCard access={access} onDialog={setDialog} />
      <OwnGrantsCard access={access} onDialog={setDialog} />
      <TagRulesCard systems={access.systems} />
      <AllTagsCard access={access} />
      {dialog !== undefined && <AccessDialogs dialog={dialog} access={access} onClose={() => setDialog(undefined)} />}
    </main>
  )
}
