import { Modal, type ModalProps } from './modal.tsx'

/** React component: modal sheet at the right side, with the height of the page. The page beside stays readable. */
export const Sheet = (modal: ModalProps) => (
  <Modal {...modal} backdrop="bg-[rgb(0_0_0/0.2)]" className="inset-y-0 right-0 w-full max-w-lg border-l max-sm:p-3" />
)
