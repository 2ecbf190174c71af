// The page is whole without this: it adds copying, and folds the contents away on small screens.
for (const button of document.querySelectorAll('button.copy')) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.closest('figure').querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
}
const menu = document.querySelector('details.menu');
const isNarrow = matchMedia('(max-width: 56rem)');
if (isNarrow.matches) menu.open = false;
menu.addEventListener('click', (event) => {
  if (isNarrow.matches && event.target.closest('a')) menu.open = false;
});
