-- Contents may be in Huffman's code from here on, which older programs cannot read.
SELECT 1;
