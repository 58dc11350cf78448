export type TextControl = HTMLInputElement | HTMLTextAreaElement

/**
 * Inserts a text into a text field in place of its selection, as if it was typed (React's `onChange` is called), and focuses the field.
 * Nothing is inserted if the field would exceed its `maxLength`.
 */
export function insertText(control: TextControl, text: string): void {
  const [start, end] = [control.selectionStart ?? control.value.length, control.selectionEnd ?? control.value.length]
  control.focus()
  if (control.maxLength >= 0 && control.value.length - (end - start) + text.length > control.maxLength) return
  control.setRangeText(text, start, end, 'end')
  // React notices a value that was set by the program only with this event.
  control.dispatchEvent(new Event('input', { bubbles: true }))
}
