import { useQuery } from '@tanstack/react-query'
import { settingsQuery } from '../../../api/account.ts'
import { Awaited } from '../../../ui/awaited.tsx'
import { Card } from '../../../ui/card.tsx'
import * as words from '../../../words/messages.js'
import { MessageChoices } from './message-choices.tsx'

/**
 * React component: settings card for the texts of messages about alerts. It has the grouping window (alerts within it share a message), and
 * templates for title and text with a preview.
 */
export function MessagesCard() {
  const query = useQuery(settingsQuery)
  return (
    <Card id="messages" title={words.settings_messages()} description={words.settings_messages_about()}>
      <Awaited query={query} placeholder="h-96">
        {(settings) => <MessageChoices settings={settings} />}
      </Awaited>
    </Card>
  )
}
