/** A link to a nested block: the server knows its page. */
const block = /^#(?:block=)?(block_\w+)$/.exec(location.hash)?.[1];
if (block && !document.getElementById(block) && !new URLSearchParams(location.search).has("block"))
  location.replace(`?block=${block}#${block}`);
