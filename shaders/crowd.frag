// One body more.

layout(location = color_output) out float one;

void main() { one = 1.0; }
